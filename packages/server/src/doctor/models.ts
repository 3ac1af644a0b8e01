// What the operator lets answer for a language model, or give texts their vectors: whether it is there, and takes the key.
import { request } from 'undici'
import type { Config } from '../config.ts'
import type { ModelSettings } from '../models/endpoint.ts'
import { type Check, finding } from './finding.ts'

const patienceMs = 5_000

const look = async (what: string, name: string, settings: ModelSettings | null) => {
  if (!settings) return null
  const { origin } = new URL(settings.url)
  const trouble = await troubleWith(settings)
  const advice = `see to ${name}_URL and ${name}_KEY`
  return trouble === null
    ? finding('network', `${what} go to ${origin}`, true, '')
    : finding('network', `${what} go to ${origin}, which ${trouble}`, false, advice)
}

/** All of them list their models; one that does not is there as well. */
async function troubleWith({ url, key }: ModelSettings): Promise<string | null> {
  try {
    const headers = { ...(key !== null && { authorization: `Bearer ${key}` }) }
    const { statusCode, body } = await request(`${url}/models`, {
      headers,
      signal: AbortSignal.timeout(patienceMs),
    })
    await body.dump()
    return statusCode === 401 || statusCode === 403 ? 'refuses the key' : null
  } catch (error) {
    return `does not answer (${(error as { code?: string }).code ?? 'no answer'})`
  }
}

const embeddings = ({ embeddings }: Config) =>
  look('texts of indexed files', 'BOTSTEAD_EMBEDDINGS', embeddings)
const model = ({ model }: Config) => look('values of computed columns with a prompt', 'BOTSTEAD_MODEL', model)

export const modelChecks: Check[] = [embeddings, model]
