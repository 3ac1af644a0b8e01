// The other bots of the workspace, with a search by name, and the way to a new one.
import { Button, Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { IconPlus } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { ResultList } from './result-list.tsx'
import { useFoundBots } from './use-found-bots.tsx'

const settleMs = 200

interface BotChoiceProps {
  onClose: () => void
  /** Undefined if the role may not create bots. */
  onCreate: (() => void) | undefined
}

export function BotChoice({ onClose, onCreate }: BotChoiceProps) {
  const { workspaceId = '' } = useParams({ strict: false })
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), settleMs)
  const navigate = useNavigate()
  const open = (address: string) => {
    onClose()
    void navigate({ to: address as '/' })
  }
  const { groups, isLoading } = useFoundBots(settled, open)
  return (
    <>
      <ResultList
        label={texts.search.findBot}
        text={text}
        onText={setText}
        groups={groups}
        isLoading={isLoading || text.trim() !== settled}
      />
      <Group gap="xs" mt="xs" grow>
        <Button
          component={Link}
          to="/w/$workspaceId/bots"
          params={{ workspaceId } as never}
          variant="default"
          size="xs"
          onClick={onClose}
        >
          {texts.shell.nav.allBots}
        </Button>
        {onCreate && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={onCreate}
          >
            {texts.shell.createBot}
          </Button>
        )}
      </Group>
    </>
  )
}
