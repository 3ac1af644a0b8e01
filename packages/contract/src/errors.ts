// The catalogue of API errors. Types and statuses are those of the external API, version 1.82.0,
// and three types that only Botstead has.

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
  /** Botstead only: the server does not implement the operation yet. */
  NotImplemented: 501,
  /** Botstead only: the server is overloaded or stopping. It changed nothing; retry the request. */
  Unavailable: 503,
  /** Botstead only: the request body did not arrive in time. */
  RequestTimeout: 408,
} as const

export type ErrorType = keyof typeof errors

export interface ErrorOptions {
  /** Appears in the log only, never in a response. */
  cause?: unknown
  /** Appears in the response unchanged. */
  metadata?: Record<string, unknown>
  /** Part of the request took effect and is not rolled back. */
  partly?: true
}

/**
 * An expected failure. `core/http/reply-error.ts` sends it as `{code, type, message, id, metadata?}`.
 */
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
