// Calls of the server. An answer of any status is an answer; no answer is `Offline`.

import type { Work } from "./types";

export class Offline extends Error {}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The one JSON error of the server. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function failureOf(answer: Answer): Failure {
  const error = ((answer.body ?? {}) as { error?: Partial<Failure> }).error ?? {};
  return {
    code: error.code ?? `http_${answer.status}`, message: error.message ?? "", remedy: error.remedy ?? "",
    details: error.details ?? {},
  };
}

/** Read anew at each call: signing in again in another tab changes it. */
export function csrfToken(cookies: string): string {
  const pair = cookies.split("; ").find((cookie) => cookie.startsWith("csrftoken="));
  return pair === undefined ? "" : decodeURIComponent(pair.slice("csrftoken=".length));
}

/** How long a call may take before it counts as lost. */
const PATIENCE_MS = 20_000;
const MOST_KEPT_ALIVE = 30_000;

export async function call(method: string, url: string, body?: unknown): Promise<Answer> {
  const options: RequestInit = {
    method, credentials: "same-origin", cache: "no-store", redirect: "manual",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken(document.cookie) },
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    // Goes on though the page is left; browsers take at most 64 KiB of it.
    options.keepalive = options.body.length < MOST_KEPT_ALIVE;
  }
  let response: Response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    throw new Offline(String(error));
  }
  // A redirect leads to the page to sign in.
  if (response.type === "opaqueredirect") return { status: 401, body: null };
  try {
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    throw new Offline(String(error));
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export interface DraftBody {
  readonly base: number;
  readonly tab: string;
  readonly work: Work;
  readonly overwrite: boolean;
}

export class Api {
  constructor(private readonly root: string) {}

  get = (): Promise<Answer> => call("GET", this.root);
  saveDraft = (body: DraftBody): Promise<Answer> => call("PUT", `${this.root}/draft`, body);
  submit = (key: string, work: Work): Promise<Answer> => call("POST", `${this.root}/submission`, { key, work });
  giveBack = (why: string): Promise<Answer> => call("POST", `${this.root}/return`, { why });
}
