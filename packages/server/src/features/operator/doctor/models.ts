// Checks that the configured model endpoints respond and accept the key.
import { request } from 'undici'
import type { ModelSettings, Section } from '../../../core/config/index.ts'
import { type DoctorCheck, finding } from './finding.ts'

const timeoutMs = 5_000

const check = async (purpose: string, name: string, settings: ModelSettings | null) => {
  if (!settings) return null
  const { origin } = new URL(settings.url)
  const problem = await findProblem(settings)
  const advice = `check ${name}_URL and ${name}_KEY`
  return problem === null
    ? finding('network', `${purpose} go to ${origin}`, true, '')
    : finding('network', `${purpose} go to ${origin}, which ${problem}`, false, advice)
}

/**
 * Requests the list of models. An endpoint without that list responds with an error, which is fine.
 */
async function findProblem({ url, key }: ModelSettings): Promise<string | null> {
  try {
    const headers = { ...(key !== null && { authorization: `Bearer ${key}` }) }
    const { statusCode, body } = await request(`${url}/models`, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await body.dump()
    return statusCode === 401 || statusCode === 403 ? 'rejects the key' : null
  } catch (error) {
    return `does not respond (${(error as { code?: string }).code ?? 'timeout'})`
  }
}

const embeddings = ({ embeddings }: Section<'models'>) =>
  check('texts of indexed files', 'BOTSTEAD_EMBEDDINGS', embeddings)
const model = ({ model }: Section<'models'>) =>
  check('prompts of computed columns', 'BOTSTEAD_MODEL', model)

export const modelChecks: DoctorCheck[] = [embeddings, model]
