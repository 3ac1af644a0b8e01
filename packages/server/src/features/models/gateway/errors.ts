// Failures of models as API errors. The official client repeats 502, 503 and 504.
import { ApiError, type ErrorType } from '@botstead/contract'
import type { FailureKind, ModelFailure } from '../providers/failures.ts'

const types: Record<FailureKind, ErrorType> = {
  invalid: 'InvalidPayload',
  // A repetition has no better outcome: the operator must correct the key or the model's name.
  rejected: 'Runtime',
  limited: 'RateLimited',
  unavailable: 'Unavailable',
  garbage: 'Unavailable',
  timeout: 'OperationTimeout',
  canceled: 'RequestTimeout',
}

/** The subtype by which official clients know that a provider failed. */
export function toApiError(failure: ModelFailure): ApiError {
  const { kind, model, status, retryAfterMs } = failure
  return new ApiError(types[kind], failure.message, {
    cause: failure,
    metadata: {
      subtype: 'UPSTREAM_PROVIDER_FAILED',
      model,
      ...(status !== null && { status }),
      ...(retryAfterMs !== null && { retryAfterMs }),
    },
  })
}
