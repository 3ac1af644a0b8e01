import { Type as T } from 'typebox'
import { closed } from '../fields.ts'
import {
  LanguageModel,
  TextChunk,
  TextRequest,
  TextResponse,
} from '../models/language-models/language-model.ts'
import { operation } from '../operation.ts'

const failures = [
  'ReferenceNotFound',
  'QuotaExceeded',
  'RateLimited',
  'Runtime',
  'Unavailable',
  'OperationTimeout',
] as const

export const text = {
  generateText: operation({
    method: 'POST',
    path: '/v2/cognitive/generate-text',
    access: 'bot',
    permission: 'models.use',
    audit: false,
    summary: 'Generate text with a language model',
    description:
      'Tries the fallbacks of the model if it is unavailable. Closing the connection ends the call.',
    body: TextRequest,
    response: TextResponse,
    errors: failures,
  }),
  generateTextStream: operation({
    method: 'POST',
    path: '/v2/cognitive/generate-text-stream',
    access: 'bot',
    permission: 'models.use',
    audit: false,
    stream: true,
    mediaType: 'application/x-ndjson',
    summary: 'Generate text as a stream',
    description:
      'Answers with one JSON object per line. The last one has `finished`, also after an error.',
    body: TextRequest,
    response: TextChunk,
    errors: failures,
  }),
  listModels: operation({
    method: 'GET',
    path: '/v2/cognitive/models',
    access: 'bot',
    permission: 'models.read',
    summary: 'List the models of this bot',
    response: closed({ models: T.Array(LanguageModel) }),
  }),
}
