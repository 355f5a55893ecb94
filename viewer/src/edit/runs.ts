// Runs of what is drawn: live in the page, or as jobs of several seeds with a report; two of them beside each other.
import {make} from './forms';

export interface Job {
  id: number;
  name: string;
  state: 'waiting' | 'running' | 'reporting' | 'done' | 'stopped' | 'failed';
  seeds: number;
  done: number;
  part: number;
  seconds_left: number | null;
  what: string;
  runs: Record<string, number | null>[];
}

const median = (values: number[]): number | null => (values.length === 0 ? null : [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]);
const seconds = (v: number | null): string => (v === null || v === undefined ? '—' : `${v.toFixed(1)} s`);

export class Runs {
  jobs: Job[] = [];
  private readonly chosen = new Set<number>();
  private polling = false;
  private announced = new Set<number>();
  onChange: () => void = () => {};
  onDone: (job: Job) => void = () => {};

  constructor(private readonly base: string) {}

  async post(what: string, body: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.base}api/${what}`, {method: 'POST', body, headers: {'Content-Type': 'application/json'}});
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error ?? String(response.status)), {status: response.status});
    return answer;
  }

  async live(text: string): Promise<string> {
    return `${this.base}runs/${(await this.post('run', text)).run}/`;
  }

  async start(text: string, seeds: number, name: string): Promise<void> {
    await this.post(`job?seeds=${seeds}&name=${encodeURIComponent(name)}`, text);
    void this.poll();
  }

  address(job: Job): string { return `${this.base}runs/${job.id}/`; }

  async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    try {
      for (;;) {
        const answer = await (await fetch(`${this.base}api/jobs`)).json();
        this.jobs = answer.jobs;
        for (const job of this.jobs)
          if (['done', 'stopped', 'failed'].includes(job.state) && !this.announced.has(job.id)) {
            this.announced.add(job.id);
            this.onDone(job);
          }
        this.onChange();
        if (!this.jobs.some(j => ['waiting', 'running', 'reporting'].includes(j.state))) break;
        await new Promise(resolve => setTimeout(resolve, 500));
      }
    } catch { /* asked again with the next run */ } finally {
      this.polling = false;
    }
  }

  panel(open: (address: string, title: string) => void): HTMLElement {
    const box = make('div');
    if (this.jobs.length === 0) box.append(make('p', {className: 'hint', textContent: 'Run live to watch it at once, or as a job: several seeds in the background, then a report.'}));
    for (const job of [...this.jobs].reverse()) box.append(this.entry(job, open));
    const both = [...this.chosen];
    const compare = make('button', {textContent: 'Compare the two', disabled: both.length !== 2, title: 'Side by side, one clock, one camera; curves in one plot'});
    compare.addEventListener('click', () => open(`${this.base}../compare.html?a=${encodeURIComponent(`edit/runs/${both[0]}/`)}&b=${encodeURIComponent(`edit/runs/${both[1]}/`)}&na=${encodeURIComponent(this.nameOf(both[0]))}&nb=${encodeURIComponent(this.nameOf(both[1]))}`, 'Compared'));
    if (this.jobs.filter(j => j.state === 'done').length > 1) box.append(compare);
    return box;
  }

  private nameOf(id: number): string { return `run ${id}, ${this.jobs.find(j => j.id === id)?.name ?? ''}`; }

  private entry(job: Job, open: (address: string, title: string) => void): HTMLElement {
    const box = make('section', {className: 'job'});
    box.dataset.job = String(job.id);
    box.dataset.state = job.state;
    const over = ['done', 'stopped', 'failed'].includes(job.state);
    const title = make('h3', {textContent: `${job.id}: ${job.name}, ${job.seeds === 1 ? 'one run' : `${job.seeds} seeds`}`});
    if (job.state === 'done') {
      const box2 = make('input', {type: 'checkbox', checked: this.chosen.has(job.id)});
      box2.setAttribute('aria-label', `compare run ${job.id}`);
      box2.addEventListener('change', () => {
        if (box2.checked) this.chosen.add(job.id);
        else this.chosen.delete(job.id);
        this.onChange();
      });
      title.prepend(box2, ' ');
    }
    box.append(title);
    if (!over) {
      const progress = make('progress', {max: 1, value: job.part});
      progress.setAttribute('aria-label', 'progress');
      const stop = make('button', {textContent: 'Stop'});
      stop.addEventListener('click', () => void this.post(`stop?id=${job.id}`, ''));
      box.append(progress, make('span', {className: 'hint', textContent: job.state === 'running' ? `run ${Math.min(job.seeds, job.done + 1)} of ${job.seeds}${job.seconds_left === null ? '' : `, about ${Math.ceil(job.seconds_left)} s left`}` : job.state}), stop);
      return box;
    }
    if (job.state === 'failed') {
      box.append(make('p', {className: 'complaint error', textContent: job.what}));
      return box;
    }
    const figure = (key: string): number | null => median(job.runs.map(r => r[key]).filter((v): v is number => typeof v === 'number'));
    const facts = make('dl', {}, make('dt', {textContent: 'arrived'}), make('dd', {textContent: `${figure('arrived') ?? '—'} of ${figure('agents') ?? '—'}`}),
      make('dt', {textContent: job.seeds > 1 ? 'half out after (median)' : 'half out after'}), make('dd', {textContent: seconds(figure('evacuated_50'))}),
      make('dt', {textContent: '95 % out after'}), make('dd', {textContent: seconds(figure('evacuated_95'))}),
      make('dt', {textContent: 'all out after'}), make('dd', {textContent: seconds(figure('evacuated_100'))}));
    const report = make('button', {textContent: 'Report'}), watch = make('button', {textContent: 'Watch'});
    report.addEventListener('click', () => open(`${this.address(job)}report.html`, `Report of run ${job.id}`));
    watch.addEventListener('click', () => open(this.address(job), `Run ${job.id}`));
    const save = make('a', {href: `${this.address(job)}report.html`, download: `${job.name}-report.html`, textContent: 'Save the report'});
    const recording = make('a', {href: `${this.address(job)}1.throng`, download: `${job.name}.throng`, textContent: 'Save the recording'});
    box.append(facts, make('div', {className: 'group wrap'}, report, watch), save, ' · ', recording);
    if (job.state === 'stopped') box.append(make('p', {className: 'hint', textContent: 'It was stopped: what is shown goes up to there.'}));
    return box;
  }
}
