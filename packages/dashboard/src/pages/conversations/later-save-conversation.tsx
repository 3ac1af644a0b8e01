// Apart from the page: its words decide which texts it loads at once (`chunks.ts`).
import { lazily } from '../../parts/lazily.tsx'

const SaveConversation = lazily(
  async () =>
    (await import('../../features/studio/tests/save-conversation.tsx')).SaveConversation,
)

interface LaterProps {
  conversationId: string
  onClose: () => void
}

export const LaterSaveConversation = (props: LaterProps) => (
  <SaveConversation {...props} />
)
