// Opens the rules by which users become one person, and the suggestions of the bot.
import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMay } from '../../api/session.ts'
import { lazily } from '../../parts/lazily.tsx'
import { Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.persons.rules
const PersonRules = lazily(
  async () => (await import('./person-rules.tsx')).PersonRules,
  <Loading />,
)

export function OpenPersonRules() {
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
          <PersonRules onDone={close} />
        </Modal>
      )}
    </>
  )
}
