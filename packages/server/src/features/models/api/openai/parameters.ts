// Parameters of OpenAI's API that this server does not have: those that would change the form of the
// response are errors, all others are listed in the response.
import { ApiError, openai } from '@botstead/contract'

type Json = Record<string, unknown>

const isOn = (value: unknown) => value !== null && value !== undefined && value !== false
const hasEntries = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Whether a value asks for something that the response would lack. */
const unsupported: Record<string, (value: unknown) => boolean> = {
  logprobs: isOn,
  top_logprobs: (value) => isOn(value) && value !== 0,
  logit_bias: hasEntries,
  functions: hasEntries,
  function_call: isOn,
  audio: isOn,
  modalities: (value) => Array.isArray(value) && value.some((one) => one !== 'text'),
  web_search_options: isOn,
}

const remedies: Record<string, string> = {
  functions: 'use `tools`',
  function_call: 'use `tool_choice`',
}

/** Throws InvalidPayload. */
export function rejectUnsupported(request: object): void {
  for (const [name, isUsed] of Object.entries(unsupported)) {
    if (!isUsed((request as Json)[name])) continue
    const remedy = remedies[name] ?? 'remove it'
    throw new ApiError('InvalidPayload', `\`${name}\` is not supported: ${remedy}`)
  }
}

/** They have no effect on the response. */
const withoutEffect = ['user', 'metadata', 'store', 'safety_identifier', 'service_tier']

const { properties } = openai.compatible.createChatCompletion.body
const names = new Set([
  ...Object.keys(properties),
  ...Object.keys(unsupported),
  ...withoutEffect,
])
const maxListed = 20

/** Warnings for the parameters of a request that have no effect. */
export const ignoredParameters = (request: object) =>
  Object.entries(request)
    .filter(([name, value]) => isOn(value) && !names.has(name))
    .slice(0, maxListed)
    .map(([name]) => ({
      type: 'parameter_ignored',
      message: `"${name.slice(0, 100)}" is not supported`,
    }))
