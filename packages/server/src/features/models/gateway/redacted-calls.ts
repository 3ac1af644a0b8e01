// Redacts prompts before they reach a model, the cache, a recording or the log. Media stay.
import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { GetRedactors, Redactor } from '../../../core/compute/index.ts'
import type { ModelCaller, TextCall } from './call.ts'

export async function redactCall(
  getRedactors: GetRedactors,
  { botId }: Pick<ModelCaller, 'botId'>,
  call: TextCall,
): Promise<TextCall> {
  const { models: redactor } = await getRedactors(botId)
  if (!redactor) return call
  const prompt = await Promise.all(
    call.options.prompt.map((message) => redactPrompt(redactor, message)),
  )
  return { ...call, options: { ...call.options, prompt } }
}

const textParts = ['text', 'reasoning', 'tool-call', 'tool-result']
/** Of a part: names and ids stay. */
const textFields = ['text', 'input', 'output']

async function redactPrompt(
  redactor: Redactor,
  message: LanguageModelV3Message,
): Promise<LanguageModelV3Message> {
  if (message.role === 'system')
    return { ...message, content: await redactor.text(message.content) }
  const content = await Promise.all(
    message.content.map(async (part) => {
      if (!textParts.includes(part.type)) return part
      const texts = Object.entries(part).filter(([name]) => textFields.includes(name))
      return { ...part, ...(await redactor.value(Object.fromEntries(texts))) }
    }),
  )
  return { ...message, content } as LanguageModelV3Message
}

/** Of files, questions and computed columns, which the server sends itself. */
export async function redactTexts<Value>(
  getRedactors: GetRedactors,
  botId: string,
  texts: Value,
): Promise<Value> {
  const { models } = await getRedactors(botId)
  return models ? models.value(texts) : texts
}
