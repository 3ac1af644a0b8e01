// The light of a channel on the page of its integration, with a link to its steps.
import { Anchor, Group, Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { ChannelLight } from './channel-light.tsx'
import { useChannels } from './queries.ts'

/** Nothing for integrations that are no channels. */
export function ChannelPanel({ alias }: { alias: string }) {
  const { workspaceId, botId } = useBot()
  const state = useChannels().data?.channels.find((one) => one.alias === alias)
  if (!state) return null
  return (
    <Paper className="panel" p="md">
      <Group justify="space-between">
        <ChannelLight state={state} />
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/w/$workspaceId/bots/$botId/channels/$channelName"
              params={{ workspaceId, botId, channelName: state.name }}
              search={{ alias }}
            />
          )}
        >
          {texts.channels.page}
        </Anchor>
      </Group>
    </Paper>
  )
}
