/** Something that runs in this process until stopped; stop() lets it finish what it began. */
export interface Stoppable {
  stop(): Promise<void>
}
