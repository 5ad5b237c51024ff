// What the server and the page speak about; the fields are said in design/annotation.md.

/** x right, y down, in upright pixels of the full photo. */
export type Point = readonly [number, number];
/** x0, y0, x1, y1, half-open. */
export type Box = readonly [number, number, number, number];
/** Width and height of the upright photo. */
export type Size = { readonly width: number; readonly height: number };

export type Stage = "grounding" | "box" | "polygon";
export type Outcome = "polygon" | "box" | "whole_image" | "cannot_draw";

/** Everything that any of the three stages saves; a stage sends the fields that it has. */
export interface Work {
  readonly stage: Stage;
  readonly several_questions?: boolean | null;
  readonly several_regions?: boolean | null;
  readonly outcome: Outcome | null;
  readonly polygon?: readonly Point[];
  readonly closed?: boolean;
  readonly box?: Box | null;
  readonly reason: string | null;
  readonly reason_text: string;
  readonly comment: string;
  readonly seconds: number;
}

export interface Draft {
  readonly version: number;
  readonly work: Work;
  readonly tab: string;
  readonly saved_at: string;
}

export interface Tiles {
  readonly url: string;
  readonly size: number;
  readonly levels: number;
}

export interface Assignment {
  readonly id: number;
  readonly state: string;
  readonly leased_until: string;
  readonly now: string;
  readonly task: {
    readonly key: string;
    readonly project: string;
    readonly stage: Stage;
    readonly question: string;
    readonly answer: string;
    readonly image_name: string;
    readonly size_hw: readonly [number, number];
    readonly photo: { readonly url: string; readonly tiles: Tiles | null };
  };
  readonly draft: Draft | null;
}

/** A field at fault, told in words; as the server's `problems`. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A sentence of the page, by its name, with what is put into it. */
export interface Said {
  readonly word: string;
  readonly values?: Readonly<Record<string, string | number>>;
}
