// An open handoff of the inbox, beside the list.
import { useParams } from '@tanstack/react-router'
import { HandoffList } from './handoff-list.tsx'
import { OpenHandoff } from './open-handoff.tsx'

export function HandoffPage() {
  const { handoffId = '' } = useParams({ strict: false })
  return <OpenHandoff key={handoffId} id={handoffId} list={<HandoffList isBeside />} />
}
