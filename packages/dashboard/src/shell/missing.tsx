// A page, workspace or bot that does not exist.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'

export const Missing = () => (
  <Empty
    title={texts.common.errors.gone}
    hint={texts.common.errors.goneHint}
    action={
      <Button component={Link} to="/" variant="default">
        {texts.shell.backToBots}
      </Button>
    }
  />
)
