import { type Contender, contextOf, HEIGHT, WIDTH } from './contender.ts';

/** What is used of flame-chart-js 3.3.0, whose script the page has loaded. */
type FlameChartJs = {
  readonly FlameChartContainer: new (
    options: object,
  ) => {
    readonly renderEngine: { setZoom(zoom: number): void; setPositionX(x: number): void };
    render(): void;
    resize(width: number, height: number): void;
  };
  readonly FlameChartPlugin: new (options: object) => object;
  readonly TimeGridPlugin: new (options?: object) => object;
};

/** One of its charts a lane, under a time grid. */
export function flameChart(): Contender {
  let chart: InstanceType<FlameChartJs['FlameChartContainer']> | undefined;
  return {
    open: (calls, canvas) => {
      const { flameChartJs } = globalThis as unknown as { readonly flameChartJs: FlameChartJs };
      contextOf(canvas);
      const lanes = calls.lanes.map(({ starts, ends, names }, index) => {
        const data = names.map((name, i) => ({
          name,
          start: starts[i] as number,
          duration: (ends[i] as number) - (starts[i] as number),
        }));
        return new flameChartJs.FlameChartPlugin({ data, name: `lane ${index + 1}` });
      });
      chart = new flameChartJs.FlameChartContainer({
        canvas,
        plugins: [new flameChartJs.TimeGridPlugin(), ...lanes],
        settings: { options: { timeUnits: 'ms' } },
      });
      chart.resize(WIDTH, HEIGHT);
      chart.render();
    },
    isWhole: () => true,
    show: ({ from, until }) => {
      chart?.renderEngine.setZoom(WIDTH / (until - from));
      chart?.renderEngine.setPositionX(from);
      chart?.render();
    },
  };
}
