// Opens the canned replies of the bot to edit them.
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMay } from '../../../api/session.ts'
import { lazily } from '../../../parts/lazily.tsx'
import { texts } from '../../../texts/texts.ts'

const CannedReplies = lazily(
  async () => (await import('./canned-replies.tsx')).CannedReplies,
)

export function ManageReplies() {
  const isEditor = useMay()('replies.write')
  const [isOpen, { open, close }] = useDisclosure()
  if (!isEditor) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        {texts.inbox.replies.title}
      </Button>
      {isOpen && <CannedReplies onClose={close} />}
    </>
  )
}
