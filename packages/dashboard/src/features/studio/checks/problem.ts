export interface Problem {
  /** A JSON pointer into the document. */
  pointer: string
  message: string
}
