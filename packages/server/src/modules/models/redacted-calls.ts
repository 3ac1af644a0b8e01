// Redacts prompts before they reach a model, the cache, a recording or the log. Media stay.
import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { Redactor, RedactorsOf } from '../../infra/lib/redaction.ts'
import type { ModelCaller, TextCall } from './call.ts'

export async function redactCall(
  redactorsOf: RedactorsOf,
  { botId }: Pick<ModelCaller, 'botId'>,
  call: TextCall,
): Promise<TextCall> {
  const { models: redactor } = await redactorsOf(botId)
  if (!redactor) return call
  const prompt = call.options.prompt.map((message) => redactPrompt(redactor, message))
  return { ...call, options: { ...call.options, prompt } }
}

const textParts = ['text', 'reasoning', 'tool-call', 'tool-result']
/** Of a part: names and ids stay. */
const textFields = ['text', 'input', 'output']

function redactPrompt(redactor: Redactor, message: LanguageModelV3Message): LanguageModelV3Message {
  if (message.role === 'system') return { ...message, content: redactor.text(message.content) }
  const content = message.content.map((part) =>
    textParts.includes(part.type)
      ? Object.fromEntries(
          Object.entries(part).map(([name, value]) => [
            name,
            textFields.includes(name) ? redactor.value(value) : value,
          ]),
        )
      : part,
  )
  return { ...message, content } as LanguageModelV3Message
}

/** Of files, questions and computed columns, which the server sends itself. */
export async function redactTexts<Value>(
  redactorsOf: RedactorsOf,
  botId: string,
  texts: Value,
): Promise<Value> {
  return (await redactorsOf(botId)).models?.value(texts) ?? texts
}
