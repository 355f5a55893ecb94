// Undo and redo without end: documents are values, so the past is a list of them.
import {Doc} from './document';

export class History {
  private past: {doc: Doc; what: string}[] = [];
  private future: {doc: Doc; what: string}[] = [];
  private merging: string | null = null;
  onChange: (doc: Doc) => void = () => {};

  constructor(private now: Doc) {}

  get doc(): Doc { return this.now; }
  get undoable(): string | null { return this.past[this.past.length - 1]?.what ?? null; }
  get redoable(): string | null { return this.future[this.future.length - 1]?.what ?? null; }

  /** Another document; changes with the same `merge` in a row are undone together (a number that is typed, a corner that is dragged). */
  change(doc: Doc, what: string, merge: string | null = null): void {
    if (doc === this.now) return;
    if (merge === null || merge !== this.merging) this.past.push({doc: this.now, what});
    this.merging = merge;
    this.future = [];
    this.now = doc;
    this.onChange(doc);
  }

  /** What is merged so far is one change. */
  seal(): void { this.merging = null; }

  undo(): void { this.go(this.past, this.future); }
  redo(): void { this.go(this.future, this.past); }

  /** Another file: nothing to go back to. */
  restart(doc: Doc): void {
    this.past = [];
    this.future = [];
    this.merging = null;
    this.now = doc;
    this.onChange(doc);
  }

  private go(from: {doc: Doc; what: string}[], to: {doc: Doc; what: string}[]): void {
    const step = from.pop();
    if (!step) return;
    to.push({doc: this.now, what: step.what});
    this.merging = null;
    this.now = step.doc;
    this.onChange(step.doc);
  }
}
