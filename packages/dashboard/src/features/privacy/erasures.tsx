// The erasures of people with their receipts, and the verification of receipts, also of files.

import type { Erasure, ErasureReceipt } from '@botstead/contract'
import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Counts, saveReceipt } from '../../pages/users/personal-data.tsx'
import { ActionError } from '../../parts/action-error.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.privacy.erasures

export function Erasures() {
  const mayRead = useMay()('data.write')
  return (
    mayRead && (
      <Section title={t.title} hint={t.hint}>
        <ErasureList />
        <VerifyFile />
      </Section>
    )
  )
}

function ErasureList() {
  const { botId, client } = useBot()
  const query = usePages(['users', botId, 'erasures'], (page, options) =>
    client.platform.listErasures({ query: { pageSize: 20, ...page } }, options),
  )
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const erasures = pages.flatMap((page) => page.erasures)
        if (erasures.length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.none}
            </Text>
          )
        return (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {erasures.map((erasure) => (
              <ErasureRow key={erasure.id} erasure={erasure} />
            ))}
            <MoreButton query={query} label={texts.common.more} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

function ErasureRow({
  erasure: { id, userId, createdAt, endedAt, receipt },
}: {
  erasure: Erasure
}) {
  const verify = useVerification()
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between" gap="xs">
        <Text
          size="sm"
          component="div"
          className="foreign"
          style={{ overflowWrap: 'anywhere' }}
        >
          {userId} · {endedAt ? t.erased : t.running} <Moment at={endedAt ?? createdAt} />
        </Text>
        {receipt && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t.verifyOf(userId)}
              loading={verify.isPending}
              onClick={() => verify.mutate(async () => receipt)}
            >
              {t.verify}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t.downloadOf(userId)}
              onClick={() => saveReceipt(id, receipt)}
            >
              {t.download}
            </Button>
          </Group>
        )}
      </Group>
      <Verified verification={verify} />
    </Stack>
  )
}

function VerifyFile() {
  const verify = useVerification()
  const read = (file: File) => async () => parsed(await file.text())
  return (
    <>
      <FileButton accept=".json" onChange={(file) => file && verify.mutate(read(file))}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={verify.isPending}
            style={{ alignSelf: 'start' }}
          >
            {t.verifyFile}
          </Button>
        )}
      </FileButton>
      <Verified verification={verify} />
    </>
  )
}

/** Other texts are malformed receipts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Verification = ReturnType<typeof useVerification>

function useVerification() {
  const { client } = useBot()
  return useMutation({
    mutationFn: async (read: () => Promise<unknown>) => {
      const receipt = await read()
      const result = await client.platform.verifyErasureReceipt({ body: { receipt } })
      return { receipt, ...result }
    },
  })
}

function Verified({ verification: { data, error } }: { verification: Verification }) {
  if (error) return <ActionError error={error} />
  if (!data) return null
  if (!data.isValid)
    return (
      <Text size="sm" role="status" c="var(--bad)">
        {t.reasons[data.reason ?? 'MALFORMED']}
      </Text>
    )
  const { userId, counts } = data.receipt as ErasureReceipt
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {t.valid}
      </Text>
      <Text size="sm" className="foreign">
        {t.of(userId)}
      </Text>
      <Counts counts={counts} />
    </div>
  )
}
