// A row of a list in a dialog, which leads to the next step.
import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconChevronRight } from '../icons/icons.tsx'

interface ChoiceButtonProps {
  onClick: () => void
  /** Whether the texts come from third parties. */
  isForeign?: boolean
  children: ReactNode
}

export const ChoiceButton = ({ onClick, isForeign, children }: ChoiceButtonProps) => (
  <UnstyledButton className="nav-link" w="100%" onClick={onClick}>
    <span className={isForeign ? 'foreign' : undefined} style={{ flex: 1 }}>
      {children}
    </span>
    <IconChevronRight size={18} aria-hidden="true" style={{ flexShrink: 0 }} />
  </UnstyledButton>
)
