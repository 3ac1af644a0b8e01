// The catalogue: every way in which a call can fail on purpose. Types and statuses are those of the external API, version 1.82.0,
// and three of our own for what a self-hosted server must be able to say.

export const errors = {
  Unknown: 500,
  Internal: 500,
  Unauthorized: 401,
  Forbidden: 403,
  PayloadTooLarge: 413,
  InvalidPayload: 400,
  UnsupportedMediaType: 415,
  MethodNotFound: 405,
  ResourceNotFound: 404,
  InvalidJsonSchema: 400,
  InvalidDataFormat: 400,
  InvalidIdentifier: 400,
  RelationConflict: 409,
  ReferenceConstraint: 409,
  ResourceLockedConflict: 409,
  ResourceGone: 410,
  ReferenceNotFound: 400,
  InvalidQuery: 400,
  Runtime: 400,
  AlreadyExists: 409,
  RateLimited: 429,
  PaymentRequired: 402,
  QuotaExceeded: 403,
  LimitExceeded: 413,
  BreakingChanges: 400,
  OperationTimeout: 504,
  /** Ours: the operation is known and not served yet. */
  NotImplemented: 501,
  /** Ours: too busy or stopping; nothing was done, try again. */
  Unavailable: 503,
  /** Ours: the request did not arrive in time. */
  RequestTimeout: 408,
} as const

export type ErrorType = keyof typeof errors

export interface ErrorOptions {
  /** For the log only; it never reaches the wire. */
  cause?: unknown
  /** Goes to the caller as it is. */
  metadata?: Record<string, unknown>
  /** Some of what was asked is done, and stays. */
  partly?: true
}

/** The only way to fail on purpose. `http/reply-error.ts` turns it into `{code, type, message, id, metadata?}`. */
export class ApiError extends Error {
  readonly code: number
  readonly type: ErrorType
  readonly metadata: Record<string, unknown> | undefined
  readonly partly: boolean

  constructor(type: ErrorType, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.type = type
    this.code = errors[type]
    this.metadata = options.metadata
    this.partly = options.partly ?? false
  }
}
