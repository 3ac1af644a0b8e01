// The ways to sign in. A one-time link has its code in the fragment, which reaches no server log.
import { Code, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { clientFor } from '../../api/client.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

export function SignInForms({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const code = useRef(new URLSearchParams(location.hash.slice(1)).get('link'))
  const withLink = useMutation({
    mutationFn: (code: string) => clientFor().platform.signInWithLink({ body: { code } }),
    onSuccess: onSignedIn,
  })
  const { mutate } = withLink
  useEffect(() => {
    if (!code.current) return
    const used = code.current
    code.current = null
    // The link is used up: neither the history nor a screenshot keeps it.
    history.replaceState(history.state, '', location.pathname + location.search)
    mutate(used)
  }, [mutate])
  if (withLink.isPending) return <Loading />
  return (
    <Stack gap="xs">
      {withLink.error && <Failed error={withLink.error} />}
      <Text size="sm">{texts.signIn.howText}</Text>
      <Code block>{texts.signIn.command}</Code>
    </Stack>
  )
}
