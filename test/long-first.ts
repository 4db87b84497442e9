import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Files that take minutes, most of them waiting: begun last, they would run on alone. Those first that have the longest to wait. */
const long = ['connectors/registry', 'fire/api-crash', 'web/every-page']

export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at === -1 ? long.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
