import { cautious } from '../../isolate/cautious.ts'
import { Replica, faultOf } from '../../isolate/engine.ts'
import type { Image } from '../../isolate/engine.ts'
import { ConnectorFailed } from '../../isolate/failed.ts'
import { hostAnswers } from '../../isolate/host-answers.ts'
import { hosted } from '../../isolate/hosted.ts'
import { Isolate } from '../../isolate/isolate.ts'
import type { Called, Runner } from '../../isolate/isolate.ts'
import type { ConnectorSpec } from '../../kit/define.ts'
import type { App } from '../app.ts'
import { appOf } from '../bind.ts'
import type { AddedSource, CodeSource } from './source.ts'

/** The code of an app on an exchange thread. */
export class LoadedCode {
  readonly app: App
  readonly #runner: OnTheSpot | undefined

  private constructor(app: App, runner?: OnTheSpot) {
    this.app = app
    this.#runner = runner
  }

  static async of(source: CodeSource): Promise<LoadedCode> {
    return source.kind === 'added' ? LoadedCode.#added(source) : LoadedCode.#builtIn(source.slug, source.sandboxUrl)
  }

  static #added({ slug, told, image, trusted }: AddedSource): LoadedCode {
    const runner = new OnTheSpot(image)
    const isolate = new Isolate(image, runner)
    const spec = hosted(told, (index, place) => isolate.standIn(index, place))
    return new LoadedCode(appOf(slug, cautious(spec, trusted), ''), runner)
  }

  static async #builtIn(slug: string, sandboxUrl: string): Promise<LoadedCode> {
    const name = slug.replaceAll(/-./g, (at) => at.slice(1).toUpperCase())
    const module = (await import(`../../${slug}/index.ts`)) as Readonly<Record<string, ConnectorSpec>>
    const spec = module[name]
    if (spec === undefined) throw new Error(`connectors/${slug}/ exports no ${name}`)
    return new LoadedCode(appOf(slug, spec, sandboxUrl))
  }

  /** Call before each step: functions then run synchronously. */
  async ready(): Promise<void> {
    await this.#runner?.ready()
  }
}

/** Runs functions of one isolate on this thread; the pool terminates the thread if one hangs. */
class OnTheSpot implements Runner {
  readonly #image: Image
  #replica: Replica | undefined
  #isLarge = false

  constructor(image: Image) {
    this.#image = image
  }

  async ready(): Promise<void> {
    if (this.#isLarge) this.#replica = undefined
    this.#replica ??= await Replica.of(this.#image)
    this.#isLarge = false
  }

  call({ index, packed, now, asked }: Called): string {
    const replica = this.#replica
    if (replica === undefined) throw new ConnectorFailed('broke down')
    // Restored only if the call did not break it.
    this.#replica = undefined
    try {
      const answers = hostAnswers()
      const text = replica.call(index, packed, {
        now,
        ask: (what, question) => (what === 'function' ? asked(question) : answers(what, question)),
      })
      this.#isLarge = !replica.reset()
      this.#replica = replica
      return text
    } catch (error) {
      throw new ConnectorFailed(`broke down: ${faultOf(error)}`)
    }
  }
}
