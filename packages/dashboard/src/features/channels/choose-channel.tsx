// The channels that come with the server, each with a page of steps.
import { Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { ChoiceButton } from '../../parts/choice-button.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { useChannels } from './queries.ts'

const t = texts.channels

interface ChooseChannelProps {
  /** The person looks for another integration. */
  onOthers: () => void
  onClose: () => void
}

export function ChooseChannel({ onOthers, onClose }: ChooseChannelProps) {
  const query = useChannels()
  const { workspaceId, botId } = useBot()
  const navigate = useNavigate()
  const open = (channelName: string) =>
    navigate({
      to: '/w/$workspaceId/bots/$botId/channels/$channelName',
      params: { workspaceId, botId, channelName },
    })
  return (
    <Modal opened onClose={onClose} title={t.choose} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        {t.chooseHint}
      </Text>
      <Loaded query={query}>
        {({ available }) => (
          <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
            {available.map(({ name, title, description }) => (
              <Choice
                key={name}
                {...{ title, description }}
                onChoose={() => void open(name)}
              />
            ))}
            <Choice title={t.others} description={t.othersHint} onChoose={onOthers} />
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}

interface ChoiceProps {
  title: string
  description: string
  onChoose: () => void
}

const Choice = ({ title, description, onChoose }: ChoiceProps) => (
  <li>
    <ChoiceButton onClick={onChoose}>
      <b>{title}</b>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
    </ChoiceButton>
  </li>
)
