// Opens the rules of handoffs.
import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMay } from '../../../api/session.ts'
import { lazily } from '../../../parts/lazily.tsx'
import { Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.inbox.rules
const StoredRules = lazily(
  async () => (await import('./rules.tsx')).StoredRules,
  <Loading />,
)

export function Rules() {
  const isEditor = useMay()('bots.update')
  const [isOpen, { open, close }] = useDisclosure()
  if (!isEditor) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.button}
      </Button>
      {isOpen && (
        <Modal opened onClose={close} title={t.title} size="lg">
          <StoredRules onDone={close} />
        </Modal>
      )}
    </>
  )
}
