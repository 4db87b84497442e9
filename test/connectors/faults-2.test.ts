import { faultCases } from './fault-rows.ts'
import { meetsFaults } from './fault-table.ts'

for (const each of faultCases.filter((_, at) => at % 2 === 1)) meetsFaults(each)
