// Creates a bot: empty, or from a file.
import { Button, FileInput, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { deployFile } from '../../parts/deploy-file.ts'
import { notifyDone } from '../../parts/notify.ts'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const { newBot } = texts.bots

export function CreateBot({ onClose }: { onClose: () => void }) {
  const { workspaceId, client } = useWorkspace()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [source, setSource] = useState<'empty' | 'file'>('file')
  const [file, setFile] = useState<File | null>(null)
  const create = useMutation({
    mutationFn: async () => {
      const { bot } = await client.admin.createBot({ body: { name: name.trim() } })
      try {
        if (source === 'file' && file) await deployFile(client, bot.id, file)
      } catch (error) {
        // An empty bot would remain.
        await client.admin.deleteBot({ params: { id: bot.id } })
        throw error
      }
      return bot
    },
    onSuccess: async (bot) => {
      notifyDone(newBot.created(bot.name))
      await queries.invalidateQueries({ queryKey: ['bots', workspaceId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId',
        params: { workspaceId, botId: bot.id },
      })
    },
  })
  const isReady = name.trim() !== '' && (source === 'empty' || file !== null)
  return (
    <Modal opened onClose={onClose} title={newBot.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) create.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={newBot.name}
            placeholder={newBot.namePlaceholder}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
          />
          <SegmentedControl
            aria-label={newBot.from}
            value={source}
            onChange={(value) => setSource(value as typeof source)}
            data={[
              { value: 'file', label: newBot.sources.file },
              { value: 'empty', label: newBot.sources.empty },
            ]}
          />
          {source === 'file' && (
            <FileInput
              label={newBot.file}
              description={newBot.fileHint}
              accept=".cjs,.js,.json"
              value={file}
              onChange={setFile}
              placeholder={newBot.chooseFile}
              clearable
            />
          )}
          {create.error && <Failed error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" disabled={!isReady} loading={create.isPending}>
              {texts.common.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
