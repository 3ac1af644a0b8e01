export {
  type Icon,
  IconAdjustments,
  IconBox,
  IconChartBar,
  IconMessages,
  IconRobot,
} from '@tabler/icons-react'
