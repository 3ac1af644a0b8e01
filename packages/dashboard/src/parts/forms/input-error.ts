/** The user's input cannot be used; the message says why. */
export class InputError extends Error {
  override name = 'InputError'
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** A mistake in a document. */
export interface DocumentProblem {
  /** `file:line:column`, if the text of the document or code is known. */
  place?: string
  /** JSON pointer into the document. */
  pointer?: string
  message: string
}

/** The server rejected the document that the user chose. */
export class DocumentRejected extends InputError {
  override name = 'DocumentRejected'
  readonly problems: DocumentProblem[]

  constructor(message: string, problems: DocumentProblem[]) {
    super(message, problems[0] && toLine(problems[0]))
    this.problems = problems
  }
}

const toLine = ({ place, pointer, message }: DocumentProblem) =>
  [place, pointer, message].filter(Boolean).join(' ')
