// The inbox of a bot: handoffs in a list, and an open one beside it.
import { useParams } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { texts } from '../../texts/texts.ts'
import { HandoffList } from './handoff-list.tsx'
import { ManageReplies } from './manage-replies.tsx'
import { Notifications } from './notifications.tsx'
import { OpenHandoff } from './open-handoff.tsx'
import { Rules } from './rules.tsx'

export function InboxPage() {
  return (
    <Page
      title={texts.inbox.title}
      docs="handoffs"
      actions={
        <>
          <Notifications />
          <ManageReplies />
          <Rules />
        </>
      }
      fills
    >
      <HandoffList />
    </Page>
  )
}

export function HandoffPage() {
  const { handoffId = '' } = useParams({ strict: false })
  return <OpenHandoff key={handoffId} id={handoffId} list={<HandoffList isBeside />} />
}
