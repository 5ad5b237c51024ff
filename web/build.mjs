// Builds what the pages load into the package; the same sources give the same bytes. `--check`: only says whether they do.
import { build } from "esbuild";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const app = join(here, "..", "src", "foveate", "app");
const target = (name) => join(app, name, "static", name);

/** OpenSeadragon's licences stand in comments that a minifier would drop: they go on top, whole. */
function licences() {
  const source = readFileSync(join(here, "node_modules/openseadragon/build/openseadragon/openseadragon.js"), "utf8");
  const head = source.slice(0, source.indexOf("\n/**"));
  const comments = head.match(/^\/\/!.*$|^\/\*[\s\S]*?\*\//gm);
  const text = comments.join("\n");
  for (const wanted of ["OpenSeadragon contributors", "John Resig", "THIS SOFTWARE IS PROVIDED"]) {
    if (!text.includes(wanted)) throw new Error(`The licence comment of OpenSeadragon is not where it was: no "${wanted}".`);
  }
  return text;
}

const common = {
  bundle: true, minify: true, write: false, absWorkingDir: here, charset: "utf8", target: ["es2022"],
  legalComments: "none", logLevel: "warning", metafile: true,
};
const outputs = [];
// The pages with a photo to zoom.
for (const [place, name] of [["annotate", "draw"], ["adjudicate", "adjudicate"]]) {
  outputs.push([place, `${name}.js`, await build({
    ...common, entryPoints: [`src/${name}.ts`], format: "iife",
    banner: { js: `/* Built from web/ by "make assets"; the sources are there. Contains OpenSeadragon: */\n${licences()}` },
  })]);
  outputs.push([place, `${name}.css`, await build({ ...common, entryPoints: [`src/${name}.css`] })]);
}
outputs.push(["annotate", "small.js", await build({
  ...common, entryPoints: ["src/small.ts"], format: "iife",
  banner: { js: '/* Built from web/ by "make assets"; the sources are there. */' },
})]);
outputs.push(["rounds", "review.js", await build({
  ...common, entryPoints: ["src/review.ts"], format: "iife",
  banner: { js: '/* Built from web/ by "make assets"; the sources are there. */' },
})]);
for (const name of ["entering", "entry"]) {
  outputs.push(["challenges", `${name}.js`, await build({
    ...common, entryPoints: [`src/${name}.ts`], format: "iife",
    banner: { js: '/* Built from web/ by "make assets"; the sources are there. */' },
  })]);
}
outputs.push(["ask", "ask.js", await build({
  ...common, entryPoints: ["src/ask.ts"], format: "iife",
  banner: { js: '/* Built from web/ by "make assets"; the sources are there. */' },
})]);
outputs.push(["ask", "ask.css", await build({ ...common, entryPoints: ["src/ask.css"] })]);
outputs.push(["rounds", "review.css", await build({ ...common, entryPoints: ["src/review.css"] })]);

let stale = 0;
for (const [part, name, result] of outputs) {
  mkdirSync(target(part), { recursive: true });
  const path = join(target(part), name);
  const built = Buffer.from(result.outputFiles[0].contents);
  if (process.argv.includes("--check")) {
    let there = Buffer.alloc(0);
    try { there = readFileSync(path); } catch { /* told below */ }
    if (!built.equals(there)) { stale += 1; console.error(`${path} is not what web/ builds: ${there.length} bytes there, ${built.length} built. Run "make assets" and commit the result.`); }
  } else {
    writeFileSync(path, built);
    console.log(`${path}: ${built.length} bytes`);
  }
}
process.exit(stale > 0 ? 1 : 0);
