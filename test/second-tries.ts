import type { Reporter, TestCase } from 'vitest/node'

/** Names each test that passed only when it was run once more, and what was wrong the first time: it is to be looked into. */
export default class SecondTries implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    const [first] = test.result().errors ?? []
    console.log(` ⚠ on its second try only: ${test.module.relativeModuleId} > ${test.fullName}`)
    console.log(`   ${first?.message ?? 'no error was kept'}`)
    for (const { file, line } of first?.stacks?.slice(0, 1) ?? []) console.log(`   ${file}:${line}`)
  }
}
