// The photo on the screen: OpenSeadragon shows, pans and zooms it. It is told where to look, and tells where it looks.

import OpenSeadragon from "openseadragon";

import type { Camera } from "./camera";
import type { Assignment, Point, Size } from "./types";

/** From here on a pixel of the photo is shown as a square, not smoothed. */
const SQUARES_FROM = 3;
const ZOOM_STEP = 1.5;
/** The largest size of a pixel of the photo, in CSS pixels. */
export const MOST_ZOOM = 32;

/** OpenSeadragon puts a style into the page, which the policy forbids, and which would hide the focus on touch screens,
 * unless an element of this name and mark is there. This one is of no namespace, so that it is no style. */
function forbidStyle(): void {
  const mark = document.createElementNS(null, "style");
  mark.setAttribute("data-openseadragon-mobile-css", "");
  document.head.append(mark);
}

type Photo = Assignment["task"]["photo"];

function source(photo: Photo, size: Size): OpenSeadragon.TileSourceOptions | object {
  if (photo.tiles === null) return { type: "image", url: photo.url, buildPyramid: false };
  const { url, size: tileSize, levels } = photo.tiles;
  return {
    width: size.width, height: size.height, tileSize, tileOverlap: 0, minLevel: 0, maxLevel: levels - 1,
    getTileUrl: (level: number, column: number, row: number) => `${url}${level}/${column}_${row}`,
  };
}

function options(element: HTMLElement, photo: Photo, size: Size, calm: boolean): OpenSeadragon.Options {
  const gestures = { clickToZoom: false, dblClickToZoom: false, flickEnabled: false, dragToPan: true };
  return {
    element, tileSources: source(photo, size) as OpenSeadragon.TileSourceOptions,
    drawer: "canvas", showNavigationControl: false, showNavigator: false, crossOriginPolicy: false,
    maxZoomPixelRatio: MOST_ZOOM, visibilityRatio: 0.25, constrainDuringPan: true,
    animationTime: calm ? 0 : 0.25, springStiffness: 8, zoomPerScroll: 1.2,
    gestureSettingsMouse: gestures, gestureSettingsPen: gestures, gestureSettingsTouch: { ...gestures, pinchToZoom: true },
    // A press counts as a click however long it takes, as long as it does not move.
    clickTimeThreshold: 60_000, clickDistThreshold: 5,
  };
}

export class View {
  readonly viewer: OpenSeadragon.Viewer;
  readonly element: HTMLElement;
  private frame = 0;
  /** The whole photo is shown, and stays so when the window changes. */
  private fits = true;

  constructor(
    host: HTMLElement, photo: Photo, private readonly size: Size, calm: boolean,
    private readonly heard: { look: () => void; open: () => void; failed: () => void },
  ) {
    forbidStyle();
    host.style.setProperty("--shape", String(size.width / size.height));
    this.viewer = OpenSeadragon(options(host, photo, size, calm));
    this.element = this.viewer.canvas as HTMLElement;
    this.viewer.addHandler("canvas-key", (event) => {
      event.preventDefaultAction = true;
    });
    this.viewer.addHandler("open", () => (this.sizeIsRight() ? this.opened() : heard.failed()));
    this.viewer.addHandler("resize", () => this.ready && this.resized());
    this.viewer.addHandler("open-failed", () => heard.failed());
    this.viewer.addHandler("tile-load-failed", () => heard.failed());
    for (const name of ["animation", "animation-finish", "resize", "update-viewport"] as const) {
      this.viewer.addHandler(name, () => this.looked());
    }
  }

  get ready(): boolean {
    return this.viewer.world.getItemCount() > 0;
  }

  camera(): Camera {
    const viewport = this.viewer.viewport;
    const origin = viewport.imageToViewerElementCoordinates(new OpenSeadragon.Point(0, 0));
    const extent = viewport.getContainerSize();
    return { scale: this.scale(true), origin: [origin.x, origin.y], extent: [extent.x, extent.y] };
  }

  /** CSS pixels a pixel of the photo; now, or where a movement under way ends. */
  scale(now: boolean): number {
    return this.viewer.viewport.viewportToImageZoom(this.viewer.viewport.getZoom(now));
  }

  panBy(screen: Point): void {
    const delta = this.viewer.viewport.deltaPointsFromPixels(new OpenSeadragon.Point(screen[0], screen[1]), false);
    this.viewer.viewport.panBy(delta).applyConstraints();
  }

  /** Zooms by steps, a place of the photo staying where it is. */
  zoom(steps: number, at: Point): void {
    this.zoomTo(this.scale(false) * ZOOM_STEP ** steps, at);
  }

  zoomTo(scale: number, at: Point): void {
    const viewport = this.viewer.viewport;
    const place = viewport.imageToViewportCoordinates(at[0], at[1]);
    const most = Math.max(viewport.getMaxZoom(), viewport.getHomeZoom());
    const zoom = Math.min(viewport.imageToViewportZoom(scale), most);
    viewport.zoomTo(zoom, place).applyConstraints();
  }

  fit(): void {
    this.viewer.viewport.goHome();
  }

  centre(): Point {
    const { x, y } = this.viewer.viewport.viewportToImageCoordinates(this.viewer.viewport.getCenter(true));
    return [x, y];
  }

  /** Shows dark photos lighter; what is drawn is not touched, nor is the photo itself. */
  light(brightness: number, contrast: number): void {
    const canvas = this.viewer.drawer.canvas as HTMLElement;
    canvas.style.filter = brightness === 100 && contrast === 100 ? "" : `brightness(${brightness}%) contrast(${contrast}%)`;
  }

  private sizeIsRight(): boolean {
    const { x, y } = this.viewer.world.getItemAt(0).getContentSize();
    return x === this.size.width && y === this.size.height;
  }

  /** Half of the whole photo, or its own size where that is smaller still: a photo of few pixels. */
  private limit(): void {
    // Its own types leave the level out, which may be changed at any time.
    const viewport = this.viewer.viewport as OpenSeadragon.Viewport & { minZoomLevel: number };
    viewport.minZoomLevel = Math.min(viewport.getHomeZoom() / 2, viewport.imageToViewportZoom(1));
  }

  private resized(): void {
    this.limit();
    if (this.fits) this.viewer.viewport.goHome(true);
  }

  private isHome(): boolean {
    const { viewport } = this.viewer;
    const away = viewport.getCenter(false).distanceTo(viewport.getHomeBounds().getCenter());
    return away < 1e-6 && Math.abs(viewport.getZoom(false) / viewport.getHomeZoom() - 1) < 1e-6;
  }

  private opened(): void {
    this.limit();
    this.heard.open();
    this.looked();
  }

  private looked(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.ready) return;
      this.fits = this.isHome();
      this.viewer.drawer.setImageSmoothingEnabled(this.scale(true) < SQUARES_FROM);
      this.heard.look();
    });
  }
}
