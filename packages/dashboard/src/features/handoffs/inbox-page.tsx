// The inbox of a bot: handoffs in a list.
import { Page } from '../../parts/page.tsx'
import { texts } from '../../texts/texts.ts'
import { HandoffList } from './handoff-list.tsx'
import { Notifications } from './notifications.tsx'
import { ManageReplies } from './replies/manage-replies.tsx'
import { Rules } from './rules/open-rules.tsx'

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
