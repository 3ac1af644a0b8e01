// An OpenAI-compatible endpoint in the test's own process, which records requests and responds as the test
// says.
import { type Answer, type Called, type CodeAtUrl, openCode } from './code-at-url.ts'

export interface ModelEndpoint extends CodeAtUrl {
  asked: (Pick<Called, 'path' | 'body'> & { key: string | undefined })[]
}

/** Use its URL as the URL of the embeddings or the model. */
export async function openModelEndpoint(
  answer: (body: Called['body']) => Answer | Promise<Answer>,
): Promise<ModelEndpoint> {
  const asked: ModelEndpoint['asked'] = []
  const { url, close } = await openCode(({ path, headers, body }) => {
    asked.push({ path, key: headers.authorization, body })
    return answer(body)
  })
  return { url: `${url}/v1`, asked, close }
}
