// How long callers may take, in milliseconds. Tests are less patient.
export interface Patience {
  /** For the headers of a request. */
  headers: number
  /** Without a byte of a body. */
  idle: number
  /** For a whole body, however steadily it drips. The content of files has its own measure (api/files/content.ts). */
  body: number
  /** For the rest of a body that nobody wants: read on, so that the caller hears the answer instead of a broken pipe. */
  rest: number
}

export const usualPatience: Patience = { headers: 10_000, idle: 60_000, body: 300_000, rest: 5_000 }
