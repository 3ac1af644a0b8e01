// A stand-in for a model, in this process, as a provider of the workspace.
import { createServer } from 'node:http'
import { env, equal } from './steps.mjs'

/** The text of the replies. */
export const model = { answer: 'Good day' }

const provider = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const about = { id: 'c', created: 1, model: 'small' }
  const { stream, tools = [] } = JSON.parse(text)
  const tool = tools.find(({ function: { name } }) => name === 'run_javascript')
  if (!stream) {
    const message = { role: 'assistant', content: model.answer }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({ ...about, object: 'chat.completion', choices, usage }),
    )
  }
  response.setHeader('content-type', 'text/event-stream')
  const chunk = (delta, finish_reason = null, more = {}) => {
    const choices = [{ index: 0, delta, finish_reason }]
    const value = { ...about, object: 'chat.completion.chunk', choices, ...more }
    response.write(`data: ${JSON.stringify(value)}\n\n`)
  }
  if (tool) {
    chunk({ tool_calls: [toCall(tool.function)] })
    chunk({}, 'tool_calls', { usage })
    return response.end('data: [DONE]\n\n')
  }
  for (const content of model.answer.split(/(?<= )/)) chunk({ content })
  chunk({}, 'stop', { usage })
  response.end('data: [DONE]\n\n')
})
/** The call by which agents of llmz 1 act. */
function toCall({ name, parameters: { properties } }) {
  const script = 'return exit("done")'
  const input = Object.fromEntries(Object.keys(properties).map((one) => [one, script]))
  const call = { name, arguments: JSON.stringify(input) }
  return { index: 0, id: 'call_1', type: 'function', function: call }
}

export async function configureModel(apiUrl, token) {
  await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`${apiUrl}/v1/platform/model-providers/own`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': env('WORKSPACE_ID'),
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      type: 'openai-compatible',
      url: `http://127.0.0.1:${provider.address().port}/v1`,
      models: { small: {} },
    }),
  })
  equal(response.status, 200)
}
