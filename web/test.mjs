// Runs the unit tests: bundles each for Node into a folder of its own, and hands them to `node --test`.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "foveate-web-"));
const tests = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts")).sort();
await build({
  entryPoints: tests.map((name) => join(here, "tests", name)), outdir: out, bundle: true, platform: "node",
  format: "esm", outExtension: { ".js": ".mjs" }, logLevel: "warning", sourcemap: "inline", absWorkingDir: here,
});
const files = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--test", "--enable-source-maps", ...files], { stdio: "inherit", cwd: here });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
