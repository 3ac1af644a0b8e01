// An endpoint that speaks like OpenAI's, in the test's own process: what it is asked, and what it answers.
import { type Answer, type Called, type CodeAtUrl, openCode } from './code-at-url.ts'

export interface ModelEndpoint extends CodeAtUrl {
  asked: (Pick<Called, 'path' | 'body'> & { key: string | undefined })[]
}

/** Its URL is to be set as that of embeddings, or of the model. */
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
