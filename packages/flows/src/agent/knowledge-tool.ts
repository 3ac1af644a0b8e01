// The tool with which an agent searches knowledge. If people wrote an answer to the question, the user gets
// that one.
import { type CuratedAnswer, readQuestion } from '../cards/curated.ts'
import { searchKnowledge } from '../engine/knowledge.ts'
import type { Json } from '../engine/platform.ts'
import type { Turn } from '../engine/turn.ts'
import type { AgentTool } from './agent-shape.ts'

type KnowledgeTool = Extract<AgentTool, { type: 'knowledge' }>

const parameters = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: 'Question or key words' },
  },
  required: ['query'],
  additionalProperties: false,
}

export const toKnowledgeTool = ({
  description,
  knowledgeBases,
  limit = 5,
}: KnowledgeTool) => ({
  kind: 'call' as const,
  description: description ?? 'Searches the knowledge bases for passages.',
  parameters,
  findCurated: (turn: Turn, { query }: Json, sent: string[]) =>
    findUnsent(turn, [turn.event.preview, String(query)], {
      names: knowledgeBases,
      sent,
    }),
  async run(turn: Turn, { query }: Json) {
    const found = await searchKnowledge(turn, {
      query: String(query),
      names: knowledgeBases,
      limit,
      // the model decides which passages answer
      minScore: 0,
    })
    turn.event.kb = found
    return (found.results ?? []).map(({ title, content, fileKey }) => ({
      source: title ?? fileKey,
      content,
    }))
  },
})

/**
 * Returns the curated answer to the first question that has one, except those already sent. The words of the
 * user come before those of the model, which may be key words.
 */
async function findUnsent(
  turn: Turn,
  questions: string[],
  { names, sent }: { names: string[] | undefined; sent: string[] },
): Promise<CuratedAnswer | null> {
  for (const question of new Set(questions)) {
    const { curated } = await readQuestion(turn, { question, names })
    if (curated && !sent.includes(curated.id)) return curated
  }
  return null
}
