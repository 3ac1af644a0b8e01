// The questions of a flow bot for data of a kind that the server redacts.
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

interface Capture {
  type?: unknown
  kind?: unknown
  question?: unknown
}

/** Returns the questions for this kind; none for a bot of code. */
export function useQuestionsFor(kind: string): string[] {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['bots', botId, 'document'],
    queryFn: ({ signal }) =>
      client.admin.getBotJson({ params: { id: botId } }, { signal }),
  })
  return [...new Set(capturesIn(data).flatMap((card) => toQuestion(card, kind)))]
}

function capturesIn(value: unknown): Capture[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(capturesIn)
  return (value as Capture).type === 'capture' ? [value, ...inside] : inside
}

function toQuestion({ kind, question }: Capture, wanted: string): string[] {
  if (kind !== wanted) return []
  const text =
    typeof question === 'object' ? (question as { text?: unknown })?.text : question
  return typeof text === 'string' ? [text] : []
}
