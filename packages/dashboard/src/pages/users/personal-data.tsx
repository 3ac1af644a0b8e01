// Export and erasure of everything about a user. The dialog of an erasure stays open after the user
// is deleted, until its receipt can be downloaded.
import type {
  Erasure,
  PersonalDataCounts,
  PersonalDataKind,
  User,
} from '@botstead/contract'
import { Button, Checkbox, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { saveFile } from '../../parts/files/save-file.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.personalData
/** Counts of an erasure come in any order. */
const kinds = Object.keys(t.kinds) as PersonalDataKind[]

interface PersonalDataProps {
  user: User
  onErase: (erasure: Erasure) => void
}

export function PersonalData({ user, onErase }: PersonalDataProps) {
  const { client } = useBot()
  const [isErasing, setErasing] = useState(false)
  const download = useMutation({
    mutationFn: async () => {
      const file = await client.platform.exportPersonalData({ params: { id: user.id } })
      saveFile(`${user.id}.tar.gz`, await file.blob())
    },
  })
  return (
    <Section title={t.title} hint={t.hint}>
      <ActionError error={download.error} />
      <Group gap="sm">
        <Button
          variant="default"
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t.export}
        </Button>
        <Button variant="default" c="var(--bad)" onClick={() => setErasing(true)}>
          {t.erase}
        </Button>
      </Group>
      {isErasing && (
        <EraseDialog user={user} onErase={onErase} onClose={() => setErasing(false)} />
      )}
    </Section>
  )
}

function EraseDialog({
  user,
  onErase,
  onClose,
}: PersonalDataProps & { onClose: () => void }) {
  const { botId, client } = useBot()
  const [isWhole, setWhole] = useState(true)
  const params = { id: user.id }
  const scope = isWhole ? 'person' : 'user'
  const query = useQuery({
    queryKey: ['users', botId, user.id, 'personal-data', scope],
    queryFn: ({ signal }) =>
      client.platform.countPersonalData({ params, query: { scope } }, { signal }),
    gcTime: 0,
  })
  const person = useQuery({
    queryKey: ['users', botId, user.id, 'personal-data', 'users'],
    queryFn: ({ signal }) => client.platform.getPerson({ params }, { signal }),
    gcTime: 0,
  })
  const others = (person.data?.person.users.length ?? 1) - 1
  return (
    <Confirm
      title={t.eraseTitle}
      button={t.eraseNow}
      name={user.name || t.confirmation}
      isReady={query.data !== undefined && person.data !== undefined}
      onConfirm={async () => {
        const { erasure } = await client.platform.erasePersonalData({
          params,
          body: { scope },
        })
        onErase(erasure)
      }}
      onClose={onClose}
    >
      <Text size="sm">{t.eraseHint}</Text>
      {others > 0 && (
        <Checkbox
          label={t.wholePerson(others)}
          description={t.wholePersonHint}
          checked={isWhole}
          onChange={({ currentTarget: { checked } }) => setWhole(checked)}
        />
      )}
      <Loaded query={query}>
        {({ counts, backups }) => (
          <>
            <Counts counts={counts} />
            <UnsearchedTables />
            <Backups backups={backups} />
          </>
        )}
      </Loaded>
    </Confirm>
  )
}

export const Counts = ({ counts }: { counts: PersonalDataCounts }) => (
  <Stack component="ul" gap={2} p={0} m={0} style={{ listStyle: 'none' }}>
    {kinds
      .filter((kind) => counts[kind])
      .map((kind) => (
        <Group component="li" key={kind} justify="space-between" wrap="nowrap">
          <Text size="sm">{t.kinds[kind]}</Text>
          <Text size="sm" fw={600}>
            {toCount(counts[kind]!)}
          </Text>
        </Group>
      ))}
  </Stack>
)

/** Tables without a column that declares ids of users: no erasure searches them. */
function UnsearchedTables() {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['tables', botId, 'list'],
    queryFn: ({ signal }) => client.tables.listTables({}, { signal }),
  })
  const unsearched = (data?.tables ?? []).filter(
    ({ schema }) =>
      !Object.values(schema.properties).some((each) => each['x-zui'].userId),
  )
  if (unsearched.length === 0) return null
  return (
    <div>
      <Text size="sm">{t.unsearchedTables}</Text>
      <Group gap="xs">
        {unsearched.map(({ id, name }) => (
          <BotLink key={id} page={`tables/${id}`}>
            {name}
          </BotLink>
        ))}
      </Group>
    </div>
  )
}

function Backups({ backups }: { backups: { fileName: string }[] }) {
  if (backups.length === 0) return null
  return (
    <div>
      <Text size="sm">{t.backups}</Text>
      {backups.map(({ fileName }) => (
        <Text key={fileName} size="sm" c="dimmed" className="foreign">
          {fileName}
        </Text>
      ))}
    </div>
  )
}

/** Follows an erasure to its receipt; live. */
export function ErasureDialog({ erasure }: { erasure: Erasure }) {
  const { workspaceId, botId, client } = useBot()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['users', botId, 'erasure', erasure.id],
    queryFn: ({ signal }) =>
      client.platform.getErasure({ params: { id: erasure.id } }, { signal }),
  })
  const { receipt, counts } = query.data?.erasure ?? erasure
  const leave = () =>
    navigate({
      to: '/w/$workspaceId/bots/$botId/users',
      params: { workspaceId, botId },
      replace: true,
      ignoreBlocker: true,
    })
  return (
    <Modal
      opened
      onClose={leave}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={receipt ? t.erased : t.erasing}
    >
      <Stack>
        {receipt ? (
          <>
            <Text size="sm">{t.erasedHint}</Text>
            <Text size="sm">{t.returns}</Text>
          </>
        ) : (
          <Group gap="sm">
            <Loader size="sm" />
            <Text size="sm">{t.erasingHint}</Text>
          </Group>
        )}
        <ActionError error={query.error} />
        <Counts counts={counts} />
        {receipt && <Backups backups={receipt.backups} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {texts.common.close}
          </Button>
          <Button
            disabled={!receipt}
            onClick={() => receipt && saveReceipt(erasure.id, receipt)}
          >
            {t.download}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export const saveReceipt = (erasureId: string, receipt: object) =>
  saveFile(`${erasureId}.receipt.json`, toFile(receipt))

const toFile = (receipt: object) =>
  new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: 'application/json' })
