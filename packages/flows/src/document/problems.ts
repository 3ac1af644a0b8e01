// Errors of a document.

/** `pointer` is a JSON pointer into the document. `message` continues it: "is missing". */
export interface Problem {
  pointer: string
  message: string
  /** Position in a code file, with the message for this position. Lines and columns count from 1. */
  source?: { file: string; line: number; column: number; message: string }
}

/** Thrown for an invalid document. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly problems: Problem[]
  /** Further checks follow when these problems are corrected. */
  readonly isPartial: boolean

  constructor(problems: Problem[], { isPartial = false } = {}) {
    const [first] = problems
    super(
      `${first?.pointer} ${first?.message}${problems.length > 1 ? `, and ${problems.length - 1} more` : ''}`,
    )
    this.problems = problems
    this.isPartial = isPartial
  }
}
