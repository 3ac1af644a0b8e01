// What a changed document must pass before a person sees it: the check and its own tests.
import { ApiError, platform } from '@botstead/contract'
import { checkText } from '../tools/draft-tools.ts'
import type { ToolContext } from '../tools/tool.ts'

type Verified = { passedTests: number } | { faults: string }

interface Found {
  pointer: string
  message: string
}

export async function verify(context: ToolContext, botId: string): Promise<Verified> {
  const { text, format } = await context.drafts.read(botId)
  try {
    const { problems } = (await checkText(context, { text, format })) as {
      problems: Found[]
    }
    if (problems.length > 0)
      return {
        faults: problems
          .map(({ pointer, message }) => `${pointer} ${message}`)
          .join('\n'),
      }
    const { passed, results } = await context.call(platform.drafts.testBotDraft, {
      params: { botId },
      body: { text, format },
    })
    if (results.length === 0)
      return {
        faults:
          'The document has no tests: write one for each behaviour that was asked for.',
      }
    const failed = results.flatMap(({ name, failure }) =>
      failure ? [`Test "${name}", step ${failure.step}: ${failure.message}`] : [],
    )
    return failed.length > 0 ? { faults: failed.join('\n') } : { passedTests: passed }
  } catch (error) {
    // Of the author's document or code.
    if (error instanceof ApiError && error.code < 500) return { faults: error.message }
    if (error instanceof ApiError && error.type === 'OperationTimeout')
      return { faults: error.message }
    throw error
  }
}
