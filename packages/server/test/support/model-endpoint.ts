// An OpenAI-compatible endpoint in the test's own process, which records requests and responds as
// the test says.
import {
  type CodeAtUrl,
  type CodeResponse,
  openCodeServer,
  type ReceivedCall,
} from './code-at-url.ts'

export interface ModelEndpoint extends CodeAtUrl {
  requests: (Pick<ReceivedCall, 'path' | 'body'> & { key: string | undefined })[]
}

/** Use its URL as the URL of the embeddings or the model. */
export async function openModelEndpoint(
  answer: (body: ReceivedCall['body']) => CodeResponse | Promise<CodeResponse>,
): Promise<ModelEndpoint> {
  const requests: ModelEndpoint['requests'] = []
  const { url, close } = await openCodeServer(({ path, headers, body }) => {
    requests.push({ path, key: headers.authorization, body })
    return answer(body)
  })
  return { url: `${url}/v1`, requests, close }
}
