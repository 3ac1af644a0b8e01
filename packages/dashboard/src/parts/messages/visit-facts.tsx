import type { Message } from '@botstead/contract'
import { texts } from '../../texts/texts.ts'
import { Fact } from '../objects/fact.tsx'
import { toVisit } from './visit.ts'

const t = texts.conversations

/** Page and language of the visitor who wrote the message, if its client sent them. */
export function VisitFacts({
  message,
}: {
  message: Pick<Message, 'payload'> | undefined
}) {
  const { page, language } = toVisit(message)
  return (
    <>
      {page && <Fact name={t.page}>{page}</Fact>}
      {language && <Fact name={t.language}>{language}</Fact>}
    </>
  )
}
