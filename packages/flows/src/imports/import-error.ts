// Thrown for a file from which no bot can be made.

export type ImportFault =
  | 'emptyFile'
  | 'unknownFormat'
  | 'unknownVersion'
  /** A document of Botstead, which needs no conversion. */
  | 'ownDocument'
  | 'invalidFile'
  | 'tooLarge'
  | 'emptyBot'

/** `message` names the problem and the remedy; `position` counts from 1. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly fault: ImportFault
  readonly position?: { line: number; column: number }

  constructor(
    fault: ImportFault,
    message: string,
    position?: { line: number; column: number } | undefined,
  ) {
    super(message)
    this.fault = fault
    if (position) this.position = position
  }
}
