// Loads code before it is deployed, with the secrets that it would have. This happens before the request
// begins its transaction, because it can take long. Code that does not load is deployed and reported, or
// rejected (BOTSTEAD_DEPLOY_CHECK).
import { ApiError } from '@botstead/contract'
import type { Caller, Context } from '../http/index.ts'

export interface TrialServices {
  invoker: {
    /** Returns the reason if the code does not load (core/delivery/calls/invoker.ts). */
    tryCode(
      workspaceId: string,
      code: string,
      secrets: Record<string, string>,
    ): Promise<{ message: string; isWithoutHandler: boolean } | null>
  }
}

/** `isStrict`: rejects code that does not load. */
export async function tryCode(
  { services: { invoker, config }, caller }: Context<Caller<'workspace'>, TrialServices>,
  { code, secrets = {} }: { code?: unknown; secrets?: Record<string, string | null> },
  before: () => Promise<Record<string, string>>,
  isStrict = config.deployCheck === 'strict',
): Promise<{ loadError?: string }> {
  if (typeof code !== 'string' || code === '') return {}
  const all = Object.entries({ ...(await before()), ...secrets }).filter(
    (one): one is [string, string] => one[1] !== null,
  )
  const failure = await invoker.tryCode(caller.workspaceId, code, Object.fromEntries(all))
  if (isStrict && failure && !failure.isWithoutHandler)
    throw new ApiError(
      'InvalidPayload',
      `The code cannot be deployed: it does not load. ${failure.message}`,
    )
  return failure ? { loadError: failure.message } : {}
}
